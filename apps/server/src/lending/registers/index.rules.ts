export { generationOf } from './identity-gates.rules.ts'
export { gateNote, isVerified, noRegister, type RegisterShape, registerProbe, shapeOf } from './register.rules.ts'
