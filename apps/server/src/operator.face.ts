// What an operator does beside HTTP: instances and keys, contracts, backups, the register, relayers.
export { createOperatorService, listAllActs, type OperatorService } from './access/index.ts'
export {
  BackupError,
  createContractsService,
  createSuitesService,
  type EmbeddedFiles,
  inspectBackup,
  proveContracts,
  restoreBackup,
  writeBackup,
} from './operator/index.ts'
export { createRegisterImport } from './register/index.ts'
export { createRelayerOperator, type KeyRequest } from './relayer/index.ts'
export { VERSION } from './version.ts'
