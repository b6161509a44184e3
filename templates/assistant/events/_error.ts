// The reply when the model or a handler fails. The error itself is in the log.
import { defineEventErrorHandler } from 'virgule';

export default defineEventErrorHandler(() => 'I cannot answer right now. Please try again later.');
