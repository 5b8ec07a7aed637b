package dev.peregrine.server;

/**
 * What the loops of one server have in common. Any thread.
 *
 * @param budget the places for connections
 * @param shutdown the common end
 * @param watch hears of connections and limits
 * @param queued the memory for bytes that wait
 * @param maxHandshakes TLS handshakes in progress in one loop
 */
record SharedState(
    ConnectionBudget budget,
    Shutdown shutdown,
    ServerWatch watch,
    QueuedBytes queued,
    int maxHandshakes) {}
