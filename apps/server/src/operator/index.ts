export { BackupError, inspectBackup, restoreBackup, writeBackup } from './backup.service.ts'
export { createContractsService } from './contracts.service.ts'
