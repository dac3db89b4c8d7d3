/** Storage key of the page to open after single sign-on, which the fixed callback address cannot carry. */
export const SSO_NEXT = 'assay.sso-next';
