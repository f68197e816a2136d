import { at } from '../core/index.ts'

export const topUpCall = at('fund', 'topUp', 'FundsAdded')
