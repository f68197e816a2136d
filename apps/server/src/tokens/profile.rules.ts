/** The published description of a token, as it is stored: only fields that say something. */
export interface TokenProfile {
  issuerName?: string
  jurisdiction?: string
  sector?: string
  isin?: string
  website?: string
  prospectusURI?: string
  documents?: { name: string; uri: string }[]
  /** What it is a lot of; enters no asset-data bundle. */
  commodity?: { symbol?: string; fineness?: string; unitBasis?: string; backing?: string }
}

export interface ProfileFault {
  readonly field: string
  readonly message: string
}

/** ISO 6166: two letters, nine alphanumerics, and a check digit by the Luhn rule over letters spelt as numbers. */
export function isIsin(text: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9]{9}[0-9]$/.test(text)) return false
  const digits = [...text].map((character) => Number.parseInt(character, 36).toString()).join('')
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + Math.floor(value / 10) + (value % 10)
  }, 0)
  return sum % 10 === 0
}

function hostOf(text: string): string | null {
  try {
    return new URL(text).hostname
  } catch {
    return null
  }
}

const visible = /^[^\s\p{Cc}\p{Cs}]+$/u

export function isHttpsUri(text: string): boolean {
  return visible.test(text) && text.startsWith('https://') && Boolean(hostOf(text))
}

export function isPublicUri(text: string): boolean {
  return isHttpsUri(text) || (visible.test(text) && /^ipfs:\/\/[A-Za-z0-9]/.test(text))
}

/** Text that is stored and hashed exactly as given must survive both: no control characters, no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text)
}

const rules: Record<string, { test: (text: string) => boolean; message: string }> = {
  isin: { test: isIsin, message: 'is not an ISIN: 12 characters with a valid check digit' },
  website: { test: isHttpsUri, message: 'must be an https:// address' },
  prospectusURI: { test: isPublicUri, message: 'must be an https:// or ipfs:// URI' },
}

/** Every fault of a profile whose shape and lengths were checked already. Empty fields are no fault: they are left out. */
export function profileFaults(profile: TokenProfile): ProfileFault[] {
  const faults: ProfileFault[] = []
  const check = (field: string, text: string, rule?: { test: (text: string) => boolean; message: string }) => {
    if (!isStorableText(text))
      faults.push({ field: `profile.${field}`, message: 'holds control characters or broken Unicode' })
    else if (rule && text !== '' && !rule.test(text)) faults.push({ field: `profile.${field}`, message: rule.message })
  }
  for (const [field, value] of Object.entries(profile)) if (typeof value === 'string') check(field, value, rules[field])
  for (const [field, value] of Object.entries(profile.commodity ?? {})) check(`commodity.${field}`, value)
  for (const [index, document] of (profile.documents ?? []).entries()) {
    check(`documents.${index}.name`, document.name)
    check(`documents.${index}.uri`, document.uri, { test: isPublicUri, message: 'must be an https:// or ipfs:// URI' })
    for (const field of ['name', 'uri'] as const)
      if (document[field] === '')
        faults.push({ field: `profile.documents.${index}.${field}`, message: 'must not be empty' })
  }
  return faults
}

/** Without empty fields; null when nothing is left, so that "has a profile" and "says something" are the same. */
export function withoutEmptyFields(profile: TokenProfile): TokenProfile | null {
  const says = (value: TokenProfile[keyof TokenProfile]) =>
    value !== undefined && (typeof value === 'string' ? value : Object.keys(value)).length > 0
  const kept = Object.entries(profile).filter(([, value]) => says(value))
  return kept.length === 0 ? null : (Object.fromEntries(kept) as TokenProfile)
}
