/** What can be wrong with an answer, by a code that never changes; a refusal means: do not sign. */
export const findingCodes = {
  ANSWER_UNREADABLE: { refuses: true, says: 'The file is no answer with a call to sign.' },
  CHAIN_MISMATCH: { refuses: true, says: 'The call is for another chain than the node.' },
  CHAIN_UNSAID: { refuses: false, says: 'The answer does not say for which chain the call is: your wallet decides.' },
  RECORD_OF_ANOTHER_CHAIN: { refuses: true, says: 'The deployment record is of another chain than the node.' },
  RECORD_NOT_OURS: {
    refuses: true,
    says: 'Other code than that of this release stands where the record has a contract.',
  },
  SAFE_DELEGATECALL: {
    refuses: true,
    says: 'A Safe would run foreign code as its own: that code can do anything with all that the Safe holds.',
  },
  VALUE_NOT_ZERO: { refuses: true, says: 'The call sends ether; no call of this product does.' },
  CREATES_CONTRACT: { refuses: false, says: 'The call creates a contract: its code is not compared here.' },
  CONTRACT_MISSING: { refuses: true, says: 'No contract stands at the address that is called.' },
  CONTRACT_UNKNOWN: {
    refuses: true,
    says: 'Neither the record nor a factory on it knows the contract that is called.',
  },
  IMPLEMENTATION_NOT_CURRENT: {
    refuses: false,
    says: 'The contract runs an older or newer implementation than the one on record.',
  },
  FUNCTION_UNKNOWN: {
    refuses: true,
    says: 'The contract that is called has no such function that anybody should sign.',
  },
  FUNCTION_MISMATCH: { refuses: true, says: 'The call is of another function than the answer says.' },
  ADDRESS_MISMATCH: { refuses: true, says: 'The description names an address that the call does not.' },
  AMOUNT_MISMATCH: { refuses: true, says: 'The description names an amount that the call does not carry.' },
  FIGURE_MISMATCH: { refuses: true, says: 'The description names a loan, proposal or rate that the call does not.' },
  SPENDER_UNKNOWN: { refuses: true, says: 'The call lets a stranger take tokens from your wallet.' },
  TOKEN_NOT_OF_CONTRACT: { refuses: true, says: 'The token is not one that the contract deals in.' },
  ALLOWANCE_UNLIMITED: { refuses: false, says: 'The allowance has no end: the contract may take all you ever hold.' },
  SIGNER_UNKNOWN: { refuses: false, says: 'Nobody says who signs: give your wallet with --from to try the call.' },
  SIGNER_MISMATCH: { refuses: true, says: 'The answer is for another wallet than yours.' },
  SIMULATION_DIFFERS: { refuses: true, says: 'The answer says that the call succeeds, but on this node it reverts.' },
  WOULD_REVERT: { refuses: false, says: 'The call would revert if it were sent now.' },
  NOT_SIMULATED: { refuses: false, says: 'The node could not try the call: what leaves the wallet is not known.' },
  NOT_REQUESTED: { refuses: true, says: 'The call carries something that is not in your request.' },
} as const

export type FindingCode = keyof typeof findingCodes

export interface Finding {
  readonly code: FindingCode
  readonly refuses: boolean
  /** Where in the answer; empty: the answer as a whole. */
  readonly at: string
  readonly message: string
}

export const finding = (code: FindingCode, at: string, detail?: string): Finding => ({
  code,
  refuses: findingCodes[code].refuses,
  at,
  message: detail === undefined ? findingCodes[code].says : `${findingCodes[code].says} ${detail}`,
})
