import { Type } from 'typebox'
import { Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'

export const termsFormats = ['markdown', 'html'] as const

const savedTerms = {
  id: Type.String(),
  version: Type.Integer(),
  title: Nullable(Type.String()),
  contentHash: Type.String({
    pattern: '^0x[0-9a-f]{64}$',
    description: 'keccak256 of the UTF-8 bytes of the markdown.',
  }),
  curatorAddress: Type.String({ description: 'The wallet whose authority saved this version.' }),
  published: Type.Boolean(),
  createdAt: Instant,
} as const

/** A version as lists show it. */
export const TermsVersion = Type.Object(savedTerms, { additionalProperties: false })

/** A version with its text: `content` and `plainText` as markdown, or `html`. */
export const Terms = Type.Object(
  {
    ...savedTerms,
    marketAddress: LowercaseAddress,
    providesForExtensions: Type.Boolean({ description: 'Whether maturities may be extended under these terms.' }),
    publishedAt: Nullable(Instant),
    updatedAt: Instant,
    contentBytes: Type.Integer(),
    format: OneOf(termsFormats),
    content: Type.Optional(Type.String({ description: 'The exact text that was hashed.' })),
    plainText: Type.Optional(Type.String()),
    html: Type.Optional(Type.String({ description: 'Safe to show: HTML in the text is shown as text.' })),
  },
  { additionalProperties: false },
)
