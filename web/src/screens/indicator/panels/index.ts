export { CompletenessFooter, ContextPanels, HistorySection, SourcesSection } from './later.tsx';
