"""What bench/scenarios, startup, idle and heap share. Python 3.8 or newer, standard library only."""
