export { type AuctionLook, beginAuction, clearAuction } from './auction-steps.ts'
export { type BookRequest, rulesOf } from './book-settings.ts'
export { type BooksService, createBooksService, type NewBook } from './books.service.ts'
export * as bookStore from './books.store.ts'
