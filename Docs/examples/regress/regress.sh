#!/bin/sh
# Is a new version of a library slower? The report is in comment.md. Exit code 3: it is, 5: undecided, 0: it is not.
#
#   sh regress.sh LiteNetLib@2.1.3 new/LiteNetLib.2.1.5.nupkg --time 90s
#
# NETBENCH is the command of the program, if it is not netbench.

${NETBENCH:-netbench} regress "$@" >comment.md
code=$?
cat comment.md
exit "$code"
