import { parseAbi } from 'viem'
import { signedContract } from './sentence.ts'

/** What is signed for tokens that are not ours: an allowance that a step needs, and the agent role of ERC-3643. */
export const anyToken = signedContract({
  name: 'Token',
  abi: parseAbi(['function approve(address spender, uint256 value)', 'function addAgent(address agent)']),
  recordedAs: [],
  sentences: {
    approve: {
      intent: 'Allow a spender',
      sentence: 'Lets {spender} take up to {value} from the signer.',
      fields: { value: { token: '@.to', unlimited: true } },
    },
    addAgent: { intent: 'Add an agent', sentence: 'Makes {agent} an agent of the token.' },
  },
})
