export { CompletenessFooter, ContextPanels, HistorySection } from './later.tsx';
export { SourcesSection } from './sources-section.tsx';
