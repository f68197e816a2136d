import { describeKilledBehind } from '../../test/killed-deployment.ts'

describeKilledBehind([1, 6, 22])
