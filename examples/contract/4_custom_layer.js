import { init } from 'minitensor';

const mt = await init();

const layer = new mt.plugins.CustomLayer('scale');
layer.addParameter('weight', new mt.Tensor([2]));

layer.setForward((inputs) => {
  const x = inputs[0];
  const weight = layer.getParameter('weight');
  return x.mul(weight);
});
const out = layer.forward([new mt.Tensor([3])]);
console.log(out.toArray()); // [6]
