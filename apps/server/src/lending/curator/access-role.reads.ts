import type { Address } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { type AccessRole, contractOf, placeOf } from './access-role.rules.ts'

const { market: marketAbi, oracle: oracleAbi } = abis

/** Does the account hold the role? `roleId` is the hash of its name. */
export function heldRead(market: Market, role: AccessRole, account: Address, roleId: `0x${string}`) {
  const contract = contractOf(role, market)
  return placeOf(role).on === 'oracle'
    ? contractRead(contract, oracleAbi, 'isSigner', [account])
    : contractRead(contract, marketAbi, 'hasRole', [roleId, account])
}

export const oracleOwnerRead = (market: Market) => contractRead(market.oracle, oracleAbi, 'owner', [])

export const deploymentRead = (market: Market) =>
  contractRead(market.factory, abis.factory, 'deployment', [market.address])
