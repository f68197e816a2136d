import { zeroAddress } from 'viem'

/** As the vault numbers them. */
const TRANSFER_RULES = { NONE: 0, CAN_TRANSFER: 1, ERC3643: 2, ERC1404: 3 } as const

/** The most that the custody contracts take. */
const MAX_DECIMALS = 30

/** What a token answered when it was asked how it says who may hold it. */
export interface TokenVoice {
  /** Null: it does not tell. */
  readonly decimals: number | null
  readonly speaksForItself: boolean
  readonly speaks1404: boolean
  readonly hasRegistry: boolean
  readonly splits: boolean
}

export const isContractAddress = (address: string): boolean => address !== zeroAddress

export const isUsable = (decimals: number | null): decimals is number => decimals !== null && decimals <= MAX_DECIMALS

/** How the vault has to ask the token about both parties of a trade. Null: the token has rules that the vault cannot ask for. */
function rulesSpoken({ speaksForItself, speaks1404, hasRegistry }: TokenVoice): number | null {
  if (speaksForItself) return TRANSFER_RULES.CAN_TRANSFER
  if (hasRegistry) return speaks1404 ? TRANSFER_RULES.ERC1404 : TRANSFER_RULES.ERC3643
  return speaks1404 ? null : TRANSFER_RULES.NONE
}

/** What the vault has on its list about a token. */
interface Admission {
  readonly isSupported: boolean
  readonly rules: number
  readonly splits: boolean
}

export type AdmissionVerdict =
  | { readonly state: 'ADMITTED' }
  /** The admin can add it, in this way. */
  | { readonly state: 'MISSING'; readonly rules: number; readonly splits: boolean }
  | { readonly state: 'IMPOSSIBLE'; readonly why: string }

/** Whether the vault takes a token and asks it everything that it has to be asked. */
export function admissionOf(admission: Admission, voice: TokenVoice): AdmissionVerdict {
  if (!isUsable(voice.decimals))
    return { state: 'IMPOSSIBLE', why: 'does not tell its decimals, or has more than 30 of them' }
  const rules = rulesSpoken(voice)
  if (rules === null) return { state: 'IMPOSSIBLE', why: 'has rules about transfers that a vault cannot ask for' }
  const { splits } = voice
  if (!admission.isSupported) return { state: 'MISSING', rules, splits }
  if (admission.rules === rules && admission.splits === splits) return { state: 'ADMITTED' }
  return {
    state: 'IMPOSSIBLE',
    why: 'was added with other rules than it has: the admin of the vault has to remove it and add it again',
  }
}
