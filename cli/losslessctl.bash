# SPDX-License-Identifier: LGPL-2.1-or-later
# bash completion for losslessctl. It knows no verb and no option: what there is says the --help of the program that is
# completed, and the word that stands there for a value (FILE, KNOB) says what to offer for it.

# What --help says of the verb: `options`, each with the name of its value; `arguments`, their names; `choices`, what is
# listed below "… is one of these:", each with what has to follow it
_losslessctl_verb() {
	local line usage='' part=usage

	options=() arguments=() choices=()
	while IFS= read -r line; do
		case $part:$line in
		usage:) part=text ;;
		usage:*) usage+=" $line" ;;
		*:*' is one of these:') part=choices ;;
		choices:*) [[ $line =~ ^([^ ]+)(' '[A-Z]+)?': ' ]] && choices[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]# } ;;
		esac
	done < <("$1" "$2" --help 2> /dev/null)
	[[ ! $usage ]] || options[--help]=''
	usage=${usage#*"losslessctl $2"}
	while [[ $usage =~ \[(-[^] ]+)\ *([^]]*)\] ]]; do
		options[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
		usage=${usage/"${BASH_REMATCH[0]}"/}
	done
	[[ ! ${options[--switch]-} ]] || options[--switch]=SWITCH
	for line in $usage; do
		line=${line#[}
		arguments+=("${line%]}")
	done
}

# What can stand for a value of that name
_losslessctl_value() {
	local line
	local -a list=()

	case $2 in
	*'|'*) IFS='|' read -ra list <<< "$2" ;;
	FILE | BUNDLE)
		_filedir
		return
		;;
	HOST | PEER)
		_known_hosts_real -a -- "$cur"
		return
		;;
	KNOB)
		line=$("$1" explain '?' 2>&1)
		[[ $line != *'there are: '* ]] || read -ra list <<< "${line##*there are: }"
		;;
	SWITCH)
		mapfile -t list < <("$1" show switches --json ${file:+-f "$file"} 2> /dev/null |
			sed -n 's/^      "name": "\(.*\)",$/\1/p')
		;;
	esac
	COMPREPLY=($(compgen -W '"${list[@]}"' -- "$cur"))
}

_losslessctl() {
	local cur prev words cword split program=${1/#\~/$HOME} file='' word name
	local -A options choices
	local -a arguments given=() verbs=()
	local -i i

	_init_completion -s || return
	if ((cword == 1)); then
		while read -r word _; do
			verbs+=("$word")
		done < <("$program" --help 2> /dev/null | sed -n '/^Verbs:/,/^$/s/^  //p')
		COMPREPLY=($(compgen -W '"${verbs[@]}" --help --version' -- "$cur"))
		return
	fi
	_losslessctl_verb "$program" "${words[1]}"
	if [[ $split == true ]]; then
		_losslessctl_value "$program" "${options[$prev]-}"
		return
	fi
	for ((i = 2; i < cword; i++)); do
		word=${words[i]%%=*} name=''
		# Only what --help says: `unset` runs a $(…) that somebody has begun to write
		if [[ $word == -* && ${options[$word]+is} ]]; then
			name=${options[$word]}
			unset "options[$word]"
		fi
		if [[ $name && ${words[i]} == "$word" ]]; then
			if ((++i == cword)); then
				_losslessctl_value "$program" "$name"
				return
			fi
			[[ $word != -f ]] || file=${words[i]}
		elif [[ $word != -* ]]; then
			given+=("$word")
		fi
	done
	if [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W '"${!options[@]}"' -- "$cur"))
	elif ((${#choices[@]} == 0)); then
		_losslessctl_value "$program" "${arguments[${#given[@]}]-}"
	elif ((${#given[@]} == 0)); then
		COMPREPLY=($(compgen -W '"${!choices[@]}"' -- "$cur"))
	elif ((${#given[@]} == 1)) && [[ ${given[0]} && ${choices[${given[0]}]-} ]]; then
		_losslessctl_value "$program" SWITCH
	fi
} && complete -F _losslessctl losslessctl
