import type { Amount } from '../amounts.ts'
import { canonicalText, quoted } from './canonical-text.ts'

export const amount = (value: Amount): string | number => (typeof value === 'number' ? value : canonicalText(value))
export const amountOrNull = (value: Amount | null): string | number => (value === null ? 'null' : amount(value))
export const quotedOrNull = (value: string | null): string => (value === null ? 'null' : quoted(value))
