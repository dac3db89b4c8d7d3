/** Where the person wanted to go: the address of the callback is fixed and carries nothing. */
export const SSO_NEXT = 'assay.sso-next';
