import { describeKilledAt, moments } from './killed-relays.ts'

describeKilledAt(moments.slice(0, -2))
