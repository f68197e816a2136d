import { at } from '../core/index.ts'

export const depositCall = at('vault', 'deposit', 'Deposited')
export const redeemCall = at('vault', 'redeem', 'Redeemed')
