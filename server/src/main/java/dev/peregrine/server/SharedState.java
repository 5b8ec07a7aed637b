package dev.peregrine.server;

/**
 * What the loops of one server have in common. Any thread.
 *
 * @param budget the places for connections
 * @param shutdown the common end
 * @param watch hears of connections and limits
 */
record SharedState(ConnectionBudget budget, Shutdown shutdown, ServerWatch watch) {}
