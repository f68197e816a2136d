export {
  asDecimal,
  asOrderBook,
  type BookClass,
  bandOf,
  cadenceOf,
  classOf,
  DECIMALS,
  MAX_UNITS,
  toleranceOf,
  unitOfClass,
} from './book.rules.ts'
export type { BookRow } from './books.store.ts'
export { type FeedSettings, parsedJson } from './feed.rules.ts'
