#!/bin/sh
exec java -XX:TieredStopAtLevel=1 -jar "$0" "$@"
