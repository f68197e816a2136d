import type { complianceModuleAbi, stockTokenAbi } from '@tallystick/abi'
import type { Abi, ContractEventName, ContractFunctionName } from 'viem'
import { typedCall } from '../../platform/chain/typed-call.ts'
import { abis } from '../contracts.ts'

type Writing = 'nonpayable' | 'payable'
type Token = typeof stockTokenAbi
type Module = typeof complianceModuleAbi
type FunctionsOf<A extends Abi> = Extract<A[number], { readonly type: 'function' }>
type EventsOf<A extends Abi> = Extract<A[number], { readonly type: 'event' }>

/** A function of the token that is proven by an event of the token. */
export const onToken = <F extends ContractFunctionName<Token, Writing>, E extends ContractEventName<Token>>(
  functionName: F,
  eventName: E,
) => typedCall('stock', abis.stock, functionName, eventName)

type Forwarded = readonly (FunctionsOf<Token> | EventsOf<Module>)[]
const forwarded: Forwarded = [
  ...abis.stock.filter((item): item is FunctionsOf<Token> => item.type === 'function'),
  ...abis.stockCompliance.filter((item): item is EventsOf<Module> => item.type === 'event'),
]

/** A function of the token that its compliance module carries out, and whose event proves it. */
export const onModule = <F extends ContractFunctionName<Forwarded, Writing>, E extends ContractEventName<Forwarded>>(
  functionName: F,
  eventName: E,
) => typedCall('stockCompliance', forwarded, functionName, eventName)
