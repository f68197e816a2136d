import type { ErrorTable } from '../operation.ts'

export const addressErrors = {
  INVALID_ADDRESS: {
    status: 400,
    message: 'tokenAddress must be 0x and 40 hex digits with a valid checksum, if mixed case.',
  },
} as const satisfies ErrorTable

/** Every way reading an unknown contract can fail. */
export const detectionErrors = {
  ...addressErrors,
  NOT_A_CONTRACT: { status: 400, message: 'There is no contract at this address on the chain of your instance.' },
  UNSUPPORTED_TOKEN: { status: 400, message: 'The contract is none of ERC-3643, ERC-1400, ERC-721, ERC-1155, ERC-20.' },
  DETECTION_FAILED: {
    status: 400,
    message: 'The framework was recognised, but a fact it must answer could not be read.',
  },
  PROVIDER_UNAVAILABLE: { status: 503, retry: true, message: 'The chain could not be read. Try again.' },
} as const satisfies ErrorTable

export const importLookupErrors = {
  ...addressErrors,
  IMPORT_NOT_FOUND: { status: 404, message: 'Your instance has no active import of this token.' },
  IMPORT_LOOKUP_FAILED: { status: 503, retry: true, message: 'The import could not be read or written. Try again.' },
} as const satisfies ErrorTable

export const imageErrors = {
  INVALID_IMAGE_URI: {
    status: 400,
    message: 'imageURI must be an https:// or ipfs:// URI of at most 1024 characters.',
  },
} as const satisfies ErrorTable
