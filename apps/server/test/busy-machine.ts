/** What a test waits for that is not about waiting: nothing in it is late, however little of the machine this run gets. */
export const BUSY_MACHINE = {
  database: {
    connectTimeoutSeconds: 60,
    patience: { statementMs: 60_000, lockMs: 60_000, venueMs: 60_000, jobMs: 600_000 },
  },
  rpcTimeoutMs: 30_000,
  trading: { longestWaitMs: 60_000 },
}
