import { transactionOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const getApprovalPolicyRoute = ({ policy }: AccessService) =>
  route(transactionOperations.getApprovalPolicy, async ({ tenant }) => ({ data: await policy.get(tenant) }))
