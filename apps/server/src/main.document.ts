import { openApiDocument } from './platform/http/openapi/document.ts'
import { VERSION } from './version.ts'

// Runs while a tree is built, and prints the document of the interface: the servers of the tree only read it.
process.stdout.write(JSON.stringify(openApiDocument(VERSION)))
