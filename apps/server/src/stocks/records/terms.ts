import { fieldError } from '../../platform/app-error.ts'
import { isIsin, isPublicUri, isStorableText } from '../../tokens/index.ts'

/** What people call a token. */
interface Terms {
  readonly name?: string
  readonly symbol?: string
  readonly isin?: string
  readonly metadataURI?: string
}

const refusals: Record<keyof Terms, { test: (text: string) => boolean; message: string }> = {
  name: { test: isStorableText, message: 'holds control characters or broken Unicode' },
  symbol: { test: isStorableText, message: 'holds control characters or broken Unicode' },
  isin: { test: isIsin, message: 'is not an ISIN: 12 characters with a valid check digit' },
  metadataURI: { test: (text) => text === '' || isPublicUri(text), message: 'must be an https:// or ipfs:// URI' },
}

/** Every word of the terms that cannot stand, at once. */
export function checkTerms(terms: Terms): void {
  const faults = (Object.keys(refusals) as (keyof Terms)[]).flatMap((field) => {
    const text = terms[field]
    return text === undefined || refusals[field].test(text) ? [] : [{ field, message: refusals[field].message }]
  })
  if (faults.length > 0) throw fieldError('VALIDATION_ERROR', faults)
}
