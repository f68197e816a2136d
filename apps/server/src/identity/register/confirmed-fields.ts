import { getAddress } from 'viem'
import type { MinedTransaction } from '../../platform/chain/transaction.ts'
import type { WalletOnRegister } from './register-write.ts'

/** What every answer about a wallet says of where it stands. */
export const aboutWallet = ({ register, wallet }: Pick<WalletOnRegister, 'register' | 'wallet'>) => ({
  walletAddress: getAddress(wallet),
  registerKind: register.kind,
  registryAddress: register.address,
})

/** The same in a confirmation. */
export const confirmedFields = (
  subject: Pick<WalletOnRegister, 'register' | 'wallet'>,
  { gasUsed }: Pick<MinedTransaction, 'gasUsed'>,
) => ({ ...aboutWallet(subject), gasUsed: gasUsed.toString() })
