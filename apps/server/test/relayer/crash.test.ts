import { describeKilledAt, moments } from './killed-relays.ts'

// The last two steps, and any. What is left when it is killed at an earlier one is looked after in `relay.test.ts` and `upkeep.test.ts`;
// that it is left by a kill is tried by the slow suite.
describeKilledAt(moments.slice(-2))
