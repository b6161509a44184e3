/** Reason for the end of a connection that receives no events although there are new messages. */
export const SILENT_REASON = 'there are new messages, but no events';
