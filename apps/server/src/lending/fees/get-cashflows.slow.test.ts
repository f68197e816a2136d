import { describeRandomCashflows } from '../../../test/lending/random-cashflows.ts'

for (const seed of [2, 3]) describeRandomCashflows(seed)
