export { BackupError } from './backup.rules.ts'
export { inspectBackup, restoreBackup, writeBackup } from './backup.service.ts'
export { createContractsService } from './contracts.service.ts'
export { createSuitesService } from './suites.service.ts'
