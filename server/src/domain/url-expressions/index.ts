/** How lists of the Safe Browsing type name a page. */
export { exactExpression, urlExpressions } from './url-expressions.ts';
