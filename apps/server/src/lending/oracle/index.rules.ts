export { ageOf, asInstant, type SignedPrice } from './oracle.rules.ts'
