// What an operator does beside HTTP: instances and keys, contracts, backups, the register, relayers.
export { createOperatorService, listAllActs, type OperatorService } from './access/index.ts'
export {
  BackupError,
  createContractsService,
  createSuitesService,
  type DatabaseFacts,
  type EmbeddedFiles,
  inspectBackup,
  proveContracts,
  readDatabaseFacts,
  restoreBackup,
  writeBackup,
} from './operator/index.ts'
export { currentVersion } from './platform/db/migrate.ts'
export { createRegisterImport } from './register/index.ts'
export { createRelayerOperator, type KeyRequest } from './relayer/index.ts'
export { ArchiveError, type Archives, createArchives, verifyArchive } from './trading/index.ts'
export { VERSION } from './version.ts'
