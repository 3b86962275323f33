/** The runtime has the types of its common part and says so in a way that not every compiler finds. */
declare module 'onnxruntime-node' {
  export * from 'onnxruntime-common'
}
