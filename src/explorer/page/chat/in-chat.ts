/** Whether this is the page that chats show. The build says so, and leaves out what the other needs. */
declare const CAIRN_IN_CHAT: boolean | undefined

export const IN_CHAT = typeof CAIRN_IN_CHAT !== 'undefined' && CAIRN_IN_CHAT === true
