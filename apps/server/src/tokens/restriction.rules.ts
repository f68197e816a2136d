import type { TokenWarning } from '@tallystick/wire'
import { type Hex, hexToBytes, toFunctionSelector } from 'viem'

type Kind = TokenWarning['code']

/**
 * Functions that tokens with such a restriction have. One of them in the code is a hint and no proof: who may call it, and whether it is
 * in force, only the issuer can say.
 */
const functionsOf: Record<Kind, readonly string[]> = {
  PAUSABLE: ['pause()', 'unpause()', 'paused()'],
  BLOCK_LIST: [
    'isBlacklisted(address)',
    'blacklist(address)',
    'isBlackListed(address)',
    'addBlackList(address)',
    'getBlackListStatus(address)',
    'isBlocked(address)',
    'isBlocklisted(address)',
    'isDenylisted(address)',
    'isFrozen(address)',
    'frozen(address)',
    'freeze(address)',
    'freeze(address,string)',
    'setAddressFrozen(address,bool)',
    'isSanctioned(address)',
    'isWhitelisted(address)',
    'isAllowlisted(address)',
  ],
  RULE_ENGINE: [
    'ruleEngine()',
    'setRuleEngine(address)',
    'detectTransferRestriction(address,address,uint256)',
    'messageForTransferRestriction(uint8)',
    'canTransfer(address,uint256,bytes)',
    'canTransfer(address,address,uint256)',
    'validateTransfer(address,address,uint256)',
    'compliance()',
    'identityRegistry()',
  ],
  SNAPSHOT: [
    'snapshot()',
    'snapshotEngine()',
    'scheduleSnapshot(uint256)',
    'snapshotBalanceOf(uint256,address)',
    'balanceOfAt(address,uint256)',
    'totalSupplyAt(uint256)',
  ],
  FORCED_TRANSFER: [
    'forcedTransfer(address,address,uint256)',
    'forceTransfer(address,address,uint256)',
    'controllerTransfer(address,address,uint256,bytes,bytes)',
    'enforceTransfer(address,address,uint256,string)',
    'wipeFrozenAddress(address)',
    'destroyBlackFunds(address)',
  ],
}

const meaningOf: Record<Kind, string> = {
  PAUSABLE: 'Transfers may be paused for everybody.',
  BLOCK_LIST: 'Transfers of single addresses may be blocked, or only listed addresses may hold it.',
  RULE_ENGINE: 'Every transfer may be judged by rules outside of the token.',
  SNAPSHOT: 'Balances are recorded at times that its issuer chooses, for distributions or votes.',
  FORCED_TRANSFER: 'Somebody may move or destroy the units of a holder.',
}

const PUSH1 = 0x60
const PUSH3 = 0x62
const PUSH4 = 0x63
const PUSH32 = 0x7f

/** What the code compares a call's first four bytes with. Solidity drops leading zeros, so three bytes may be a selector too. */
export function selectorsIn(code: Hex): ReadonlySet<string> {
  const bytes = hexToBytes(code)
  const found = new Set<string>()
  for (let at = 0; at < bytes.length; at++) {
    const opcode = bytes[at] ?? 0
    if (opcode < PUSH1 || opcode > PUSH32) continue
    const length = opcode - PUSH1 + 1
    if (opcode === PUSH3 || opcode === PUSH4)
      found.add(
        `0x${Buffer.from(bytes.subarray(at + 1, at + 1 + length))
          .toString('hex')
          .padStart(8, '0')}`,
      )
    at += length
  }
  return found
}

const known = (Object.keys(functionsOf) as Kind[]).map((code) => ({
  code,
  functions: functionsOf[code].map((signature) => ({ signature, selector: toFunctionSelector(signature) })),
}))

/** What the code of a token lets expect beyond a plain ERC-20. */
export function warningsFrom(codes: readonly Hex[]): TokenWarning[] {
  const selectors = codes.map(selectorsIn)
  return known.flatMap(({ code, functions }) => {
    const present = functions.filter(({ selector }) => selectors.some((all) => all.has(selector)))
    const names = present.map(({ signature }) => signature)
    if (names.length === 0) return []
    return [{ code, functions: names, message: `${meaningOf[code]} Its code has ${names.join(', ')}.` }]
  })
}
