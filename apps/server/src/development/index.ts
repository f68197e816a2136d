export {
  type DevelopmentCall,
  type DevelopmentOrder,
  type DevelopmentRole,
  type DevelopmentRoles,
  developmentRoutes,
} from './routes.ts'
