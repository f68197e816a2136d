export * from './fetch.operations.ts'
export * from './manage.operations.ts'
export * from './tokenization.operations.ts'
