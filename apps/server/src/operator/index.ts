export { BackupError } from './backup.rules.ts'
export { type EmbeddedFiles, inspectBackup, restoreBackup, writeBackup } from './backup.service.ts'
export { createContractsService, proveContracts } from './contracts.service.ts'
export { createSuitesService } from './suites.service.ts'
