// What an operator does beside HTTP: instances and keys, contracts, the register.
export { createOperatorService, type OperatorService } from './access/index.ts'
export { createSuitesService } from './operator/index.ts'
export { createRegisterImport } from './register/index.ts'
