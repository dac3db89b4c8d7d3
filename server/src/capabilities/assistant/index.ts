export { createModel } from './model.ts';
export { type AssistantDeps, assistantRoutes } from './routes.ts';
