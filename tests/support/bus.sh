# SPDX-License-Identifier: LGPL-2.1-or-later
# Sourced by tests with a system bus of their own.

# bus_conf SOCKET: the configuration of a bus on which everybody may everything, and may listen
bus_conf() {
	cat <<-END
	<busconfig>
	  <type>system</type>
	  <listen>unix:path=$1</listen>
	  <auth>EXTERNAL</auth>
	  <policy context="default">
	    <allow send_destination="*" eavesdrop="true"/>
	    <allow receive_sender="*"/>
	    <allow own="*"/>
	    <allow user="*"/>
	  </policy>
	</busconfig>
	END
}
