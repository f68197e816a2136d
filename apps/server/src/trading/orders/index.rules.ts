export { asOrder, asPlaced, asRefusedOrder, type OrderView } from './order.rules.ts'
