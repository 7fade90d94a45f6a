"""Shapes, joining and indexing, expression by expression in PyTorch and in minigrad: values, nodes, versions, strides, warnings, errors."""

import warnings

import numpy as np
import pytest

import minigrad
from tests.messages import first_sentence

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.torch

SHAPE = r"""
x.view(5) | x.view(-1,-1) | x.view(-2,3) | x.view(-1,5) | torch.zeros(0).view(0,-1) | x.view([2,12]) | x.view(2.0) | x.view((2,'a'))
x.view(None) | x.view(torch.tensor(24)) | x.view(size=(4,6)) | x.reshape(5) | x.reshape([24]) | x.reshape(shape=(24,))
x.transpose(0,1).view(6,4) | x.transpose(0,1).reshape(6,4) | x.transpose(0,1).transpose(0,1).reshape(-1) | x[:,:,::2].reshape(-1)
x[0,0,::2].reshape(2,1) | torch.reshape(x,24) | torch.reshape(x,(5,)) | torch.reshape(x,(-1,0)) | x.transpose(0,3) | x.transpose(-1,0)
x.t() | x[0].t() | s0.T | x.T | x[0].T | x.mT | v.mT | s0.mT | v.H | x.H | x[0].H | s0.H | v.adjoint() | s0.adjoint() | x.permute(0,1)
x.permute(0,0,1) | x.permute(0,1,3) | x.permute([0,1,2]) | x.permute(dims=(2,-2,0)) | torch.permute(x,0) | s0.permute(()) | x.movedim(0,5)
x.movedim((0,0),(1,2)) | x.movedim((0,1),(1,)) | x.movedim((0,1),(1,1)) | x.movedim((0,1),(1,2)) | x.moveaxis(0,-1) | s0.movedim(0,0)
x.squeeze(3) | x.squeeze((0,0)) | x[:1].squeeze(dim=0) | x[:1].squeeze() | x[:1,:,:1].squeeze((0,2)) | x.squeeze(()) | s0.squeeze(0)
s0.squeeze(1) | x.unsqueeze(4) | x.unsqueeze(-5) | x.unsqueeze(-1) | x.transpose(0,2).unsqueeze(1) | x.transpose(0,2).unsqueeze(-1)
x.expand(2,3) | x.expand(3,3,4) | x.expand(-1,3,4) | x.expand(-1,2,3,4) | x.expand(1,2,3,4) | x.expand(5,2,3,4) | x[:,:1].expand(-1,3,-1)
x.expand(2,3,-2) | s0.expand(2,0) | x.broadcast_to((3,)) | torch.broadcast_to(x,(5,2,3,4)) | x.select(3,0) | x.select(0,2) | x.select(0,-3)
x.select(-1,-1) | s0.select(0,0) | x.select(0,torch.tensor(1)) | x.narrow(0,1,2) | x.narrow(0,3,1) | x.narrow(0,-1,1) | x.narrow(0,-3,1)
x.narrow(0,0,-1) | x.narrow(0,torch.tensor(1),1) | x.narrow(0,torch.tensor([1]),1) | s0.narrow(0,0,1) | x.narrow(3,0,1) | x.diagonal(0,0,0)
x.diagonal(5) | x.diagonal(1,1,2) | x.diagonal(-1,2,0) | x.diagonal(0,0,3) | v.diagonal() | x.unfold(0,3,1) | x.unfold(0,1,0)
x.unfold(0,-1,1) | x.unfold(1,2,1) | x.unfold(2,2,3) | x.unfold(3,1,1) | s0.unfold(0,1,1) | s0.unfold(0,2,1) | x.unfold(1,0,1)
x.as_strided((30,),(1,)) | x.as_strided((3,),(1,2)) | x.as_strided((3,),(-1,)) | x.as_strided((3,),(1,),-1) | x.as_strided((3,2),(1,4),5)
x[1].as_strided((3,),(1,)) | x[1].as_strided((3,),(1,),0) | x.unbind(3) | x.unbind(-2) | s0.unbind() | x.split(0) | x.split(-1)
x.split(2,3) | x.split(2,1) | x.split([1,2]) | x.split([1,-1,2]) | x.split([1,2],-2) | x.split(5) | torch.zeros(0).split(0)
torch.zeros(0).chunk(2) | s0.split(1) | s0.chunk(1) | x.chunk(0) | x.chunk(2,5) | x.chunk(3,2) | x.split(1.5) | x.split_with_sizes([1,1],0)
x.tensor_split(0) | x.tensor_split(4,1) | x.tensor_split((1,5,2),1) | x.tensor_split(torch.tensor(2),0)
x.tensor_split(torch.tensor([[1]]),0) | x.tensor_split(torch.tensor([1.]),0) | s0.tensor_split(1) | x.hsplit(2) | x.hsplit(3) | s0.hsplit(1)
v.hsplit(2) | v.vsplit(2) | v.dsplit(2) | x.vsplit((1,)) | x.vsplit(0) | x.dsplit(3) | x.flatten(2,1) | x.flatten(0,3) | x.flatten(1)
x.flatten(1,1) | s0.flatten() | x.transpose(1,2).flatten(1) | x.ravel() | x.transpose(0,2).ravel() | x.unflatten(0,(3,2))
x.unflatten(0,()) | x.unflatten(0,(-1,-1)) | x.unflatten(2,(-1,2)) | x.unflatten(1,3) | x.view(torch.float64)
torch.zeros(3).view(torch.float64) | s0.view(torch.int16) | x.view(torch.int32) | x.transpose(1,2).view(torch.float64)
x.transpose(0,1).view(torch.int16) | x.view_as(3) | x.view_as(x.flatten()) | x.reshape_as(v) | x.expand_as(v) | x.swapaxes(0,1)
x.swapdims(0,1)
"""

JOIN = r"""
torch.cat([]) | torch.cat(x) | torch.cat([x,3]) | torch.cat((x,x),3) | torch.cat((x,x),-2) | torch.cat((x,v)) | torch.cat((s0,s0))
torch.cat((x,x[:,:2])) | torch.cat((x,x[:,:2]),1) | torch.cat((x,torch.zeros(0))) | torch.cat((torch.zeros(0),x),2)
torch.cat((x,torch.zeros(0,3))) | torch.cat((torch.zeros(0),torch.zeros(0)),1) | torch.cat((x.mT,x.mT)) | torch.concat((x,X),0)
torch.concatenate((x,x),axis=1) | torch.stack([]) | torch.stack((x,v)) | torch.stack((x,x),4) | torch.stack((x,X),-1) | torch.stack(x)
torch.stack((x,2)) | torch.hstack([]) | torch.hstack((s0,s0)) | torch.hstack((v,v)) | torch.hstack((x,x)) | torch.vstack((v,v))
torch.vstack((s0,s0)) | torch.dstack((v,v)) | torch.dstack((s0,s0)) | torch.dstack((x[0],x[0])) | torch.column_stack((v,x[0,:,:2]))
torch.column_stack((s0,s0)) | torch.row_stack((v,v)) | torch.block_diag(v,s0,x[0]) | torch.block_diag() | torch.block_diag(x)
torch.tile(x,(2,2)) | x.tile(2,2) | x.tile((2,2,1,1)) | x.repeat(2) | x.repeat(2,2,2,2) | x.repeat(2,-1,2) | x.repeat(0,1,1)
x.repeat((2,1,1)) | x.repeat_interleave(-1) | x.repeat_interleave(2) | x.repeat_interleave(2,1) | x.repeat_interleave(2,3)
x.repeat_interleave(torch.tensor([1,2,3]),0) | x.repeat_interleave(torch.tensor([1.,2]),0) | x.repeat_interleave(torch.tensor([-1,2]),0)
x.repeat_interleave(torch.tensor([2]),0) | x.repeat_interleave(torch.tensor([1,2]),0) | x.repeat_interleave(torch.tensor([[1,2]]),0)
x.repeat_interleave(torch.tensor([1,2]),0,output_size=4) | x.repeat_interleave(2,0,output_size=5) | x.repeat_interleave(1.5)
torch.repeat_interleave(torch.tensor([1,2,0])) | s0.repeat_interleave(3) | s0.repeat_interleave(3,0) | x.flip(3) | x.flip(0,0)
x.flip((0,-1)) | x.flip([]) | s0.flip(0) | torch.flip(x,[0]) | v.fliplr() | x.fliplr() | s0.flipud() | x.roll(1,3) | x.roll(5)
x[0].expand(2,3,4).flip(0) | x[0].expand(2,3,4).rot90(1,(0,2)) | x[:1].expand(2,3,4).rot90(2,(1,0)) | x.mT.rot90(3,(1,2)) | x[...,9] | x[None,5]
x[0,None,5] | x[...,None,9] | x[x[:,:,0]>0,5] | x[True,5] | x[0,...,9]=1
x.roll(-1,1) | x.roll((1,2),(0,2)) | x.roll((1,2),0) | x.roll((1,2)) | x.roll((),()) | s0.roll(1) | s0.roll(1,0) | x.rot90(1,(0,0))
x.rot90(1,(0,3)) | x.rot90(1,(0,)) | v.rot90() | x.rot90(5,[0,-1]) | x.rot90(-2,(1,2)) | x.tril(1) | x.triu(-1) | v.tril() | s0.triu()
x[0].diag() | x[0,0].diag(1) | x.diag() | s0.diag() | torch.diag(x[0],-5) | s0.diag_embed() | x.diag_embed(1,0,2) | x.diag_embed(0,1,1)
x.diag_embed(0,4,1) | x.diagflat(1) | s0.diagflat() | torch.atleast_1d(s0,x) | torch.atleast_1d((s0,x)) | torch.atleast_2d(x[0,0])
torch.atleast_3d(x[0]) | torch.atleast_1d(3) | torch.broadcast_tensors(x,v) | torch.broadcast_tensors(x,x[0,0])
torch.broadcast_shapes((2,1),(3,2)) | torch.broadcast_shapes((-1,)) | torch.meshgrid(x[0,0],v) | torch.meshgrid(v,v,indexing='xx')
torch.meshgrid([x[0,0],v],indexing='xy') | torch.meshgrid(v,v.long(),indexing='ij') | torch.cartesian_prod(v) | torch.cartesian_prod(v,x)
torch.cartesian_prod(x[0,0],v) | torch.combinations(v,2,True) | torch.combinations(x[0,0]) | torch.combinations(x)
torch.combinations(v,-1) | torch.combinations(v,0)
"""

INDEX = r"""
x[m2,0] | x[m2] | x[0,m2[0]] | x[m2,...,0] | x[0,:,i] | x[i,:,i] | x[:,i,i] | x[i,0,i] | x[i,None,i] | x[None,i,i] | x[i,i,...] | x[...,i]
x[[0,1]] | x[[0,1],] | x[[0,slice(None)]] | x[[i,i]] | x[[[0,1],[1,0]]] | x[[[0,1]]] | x[[True,False]] | x[[True,False],1]
x[np.array([0,1])] | x[np.array([True,False])] | x[np.int64(1)] | x[np.bool_(True)] | x[range(2)] | x[(0,1)] | x[True] | x[False]
x[True,0] | x[0,True] | x[:,True] | x[True,True] | x[torch.tensor(True)] | x[torch.tensor(1,dtype=torch.uint8)]
x[torch.tensor([1,0],dtype=torch.uint8)] | x[torch.tensor([1,0],dtype=torch.int16)] | x[torch.tensor([1,0],dtype=torch.int32)]
x[torch.tensor([1.,0])] | x[torch.tensor(1.)] | x[1.0] | x['a'] | x[2] | x[-3] | x[0,3] | x[0,0,0,0] | x[...,...] | x[0,...,...]
x[0,...,0,...,0] | x[::-1] | x[::0] | x[0:2:-1] | x[1.5:] | x[torch.tensor(0):torch.tensor(1)] | x[torch.tensor([0]):] | x[np.int64(0):]
x[i,i,i,i] | x[torch.tensor([5])] | x[:,torch.tensor([-4])] | x[i,torch.tensor([0,1,2])] | x[m,m] | x[torch.tensor([True,False,True])]
x[:,m] | x[m2.t()] | x[mm] | x[torch.zeros(0,dtype=L)] | x[[]] | x[()] | x[...] | x[:] | x[:,:] | x[None] | x[None,None] | x[:,None]
x[0:0] | x[5:7] | x[-1:] | x[0,None,1:] | s0[0] | s0[:] | s0[...] | s0[None] | s0[()] | s0[True] | s0[torch.tensor(True)]
s0[torch.tensor(0)] | s0[i] | s0[[]] | v[torch.tensor([[0,1],[2,0]])] | x[torch.tensor([[0],[1]]),torch.tensor([0,1,2])] | X[object()]
x[{}] | x[1,2,torch.tensor(3)] | x[torch.tensor([1])] | x[torch.tensor([[1]])] | x[i,0:2] | x[0:2,i] | x[0:1,i,1] | x[:,:,i]
x[i.long(),::2] | x[slice(None,None,2),i] | x[i][0] | x[np.array([[0,1]])] | x[np.array(1)] | x[np.array([0,1]),0]
x[0,np.array([True,False,True])] | x[[[True,False],[True,False,True]]] | x[[m]] | x[[torch.tensor(0),torch.tensor(1)]] | x[[None]]
x[[...,0]] | x[[0,None]] | x[[0,1.5]] | x[[0.,1.]] | x[(0,[1,2])] | x[0,(1,2)] | x[((0,1),(1,2))] | x[[(0,1)]] | x[range(1),0]
x[torch.tensor(1,dtype=torch.int8)] | x[torch.tensor(1,dtype=torch.int16),0] | x[torch.tensor([[True]])] | x[i.int(),i.long()]
x[m.byte(),0] | torch.masked_fill(X.long(),mm,torch.tensor(1.5)) | torch.masked_fill(X,mm,torch.tensor(1.5,dtype=torch.float64))
torch.masked_fill(X,mm,torch.tensor(1j)) | torch.masked_fill(leaf,mm,leaf[0,0,0]) | torch.masked_fill(leaf[0],mm,2.)
torch.masked_fill(leaf[0],mm,leaf[0,0,0]) | leaf.index_fill(0,i,leaf[0,0,0]) | torch.index_fill(X.long(),0,i,torch.tensor(1.5))
torch.index_fill(X,0,i,torch.tensor(1.5,dtype=torch.float64)) | leaf.take_along_dim(torch.zeros(1,1,4,dtype=L),0)
leaf.index_select(0,torch.tensor(1)) | s0.index_select(0,torch.tensor(0)) | leaf.repeat_interleave(torch.tensor(2),0)
leaf.repeat_interleave(torch.tensor([1,2]),0) | leaf.masked_select(mm) | leaf[0].masked_select(mm) | leaf.masked_scatter(mm,leaf)
leaf[0].masked_scatter(mm,leaf) | leaf.put(i,leaf[0,0,:2]) | leaf.select_scatter(leaf[0],0,0) | leaf.index_reduce(0,i,leaf,'prod')
leaf.scatter_reduce(0,torch.zeros(1,3,4,dtype=L),leaf,'sum') | torch.take(leaf,i) | y=x*1;y.masked_fill_(mm,0);y
y=x*1;y.masked_fill_(mm,leaf[0,0,0]);y | y=x*1;y.index_add_(0,i,leaf);y | y=x*1;y.index_copy_(0,i,leaf);y | y=x*1;y.index_fill_(0,i,3.);y
y=x*1;y.scatter_(0,torch.zeros(1,3,4,dtype=L),leaf);y | y=x*1;y.scatter_(0,torch.zeros(1,3,4,dtype=L),3.);y
y=x*1;y.scatter_add_(0,torch.zeros(1,3,4,dtype=L),leaf);y | y=x*1;y.scatter_reduce_(0,torch.zeros(1,3,4,dtype=L),leaf,'amax');y
y=x*1;y.masked_scatter_(mm,leaf);y | y=x*1;y.put_(i,leaf[0,0,:2]);y | y=x*1;y.index_put_((i,),leaf);y
y=x*1;y.index_put_((i,),leaf,accumulate=True);y | y=x*1;y.tril_();y | y=x*1;y.t_();y | y=x*1;y.transpose_(0,1);y | y=x*1;y.unsqueeze_(0);y
y=x*1;y.squeeze_(0);y | y=x*1;y.swapaxes_(0,1);y | y=X.clone();y.transpose_(0,1);y._version | y=X.clone();y.unsqueeze_(1);y._is_view()
y=x*1;z=y.as_strided_((2,),(1,));z is y | y=x*1;y[0].unsqueeze_(0);y | y=x*1;z=y[0];z.unsqueeze_(0);z | leaf.unsqueeze_(0);leaf
X.unsqueeze_(0);X._base is None | torch.stack([leaf[0],X[0].long()]) | torch.cat([leaf,X.long()]) | torch.cat([leaf,X.double()])
x[-1,...,-1] | x.mT[0]
"""

SET = r"""
x[0]=1. | x[0]=1 | x[0]=True | x[0]=1j | x[0,0,0]=5. | x[0,0,0]=s0 | x[0]=s0 | x[0]=v | x[0]=torch.arange(4.) | x[0]=torch.arange(4)
x[0]=torch.arange(4.).double() | x[0]=torch.zeros(1,1,3,4) | x[0]=torch.zeros(2,3,4) | x[0]=leaf[1] | x[0]=leaf[1,0,0] | x[0]=[1.,2,3,4]
x[0]=np.arange(4.) | x[0]=np.float64(3) | x[0]='a' | x[0]=None | x[...]=3 | x[...]=X | x[:]=3 | x[:]=X | x[None]=3 | x[None]=X | x[True]=3
x[False]=3 | x[True]=X | x[True]=leaf | x[0:0]=3 | x[i]=3 | x[i]=s0 | x[i]=X | x[i]=v | x[i]=torch.arange(4.) | x[i]=torch.arange(4)
x[i]=torch.tensor(1) | x[i]=torch.tensor(1.,dtype=torch.float64) | x[i]=leaf | x[i]=leaf[0,0,0] | x[i]=torch.zeros(1,2,3,4)
x[i]=torch.zeros(2,2,3,4) | x[i]=[1.,2,3,4] | x[mm]=3 | x[mm]=leaf[0,0,0] | x[mm]=X[mm] | x[mm]=X | x[mm]=torch.tensor([7.]) | x[m2]=3
x[m2]=torch.arange(4.) | x[0,i]=3 | x[0,i]=leaf[0,i] | x[0,:,i]=3 | x[:,0,i]=torch.zeros(2,2) | x[i,:,i]=torch.zeros(2,3) | x[i,i]=leaf[i,i]
x[[0,0]]=torch.arange(24.).reshape(2,3,4) | x[5]=3 | x[0,0,0,0]=3 | x['a']=3 | leaf[0]=3;leaf | leaf[...]=3;leaf | leaf[i]=3;leaf
leaf[mm]=3;leaf | leaf[:]=3;leaf | X[0]=leaf[0];X | X[i]=leaf;X | X[mm]=leaf[mm];X | X[0,i]=leaf[0,i];X
X[0,0]=leaf[0,0];X[0,1]=leaf[0,1];X | y=x*2;y[0]*=3;y[1:]=leaf[1:];y | s0[...]=3;s0 | s0[()]=3;s0 | s0[0]=3;s0 | s0[None]=3;s0
s0[True]=3;s0 | v[1]=leaf.sum();v | v[0:2]=leaf[0,0,:2];v | x[::2]=0 | x[0,...,1]=9 | x[m,0]=9 | x[m]=torch.zeros(3,4) | x[m]=torch.zeros(4)
b=torch.tensor([True,False]);b[0]=2;b | n=torch.arange(3);n[0]=2.7;n | n=torch.arange(3);n[0]=torch.tensor(2.7);n
n=torch.arange(3);n[i]=2.7;n | n=torch.arange(3);n[0]=1j;n | x[0].mul_(3);x | y=x[0];y.mul_(3);y | y=x[0];y.mul_(3);x
y=x.unbind(0)[0];y.mul_(3);y | y=x.split(1)[0];y.mul_(3);y
"""

GATHER = r"""
torch.index_select(x,0,torch.tensor([0,1,1])) | torch.index_select(x,3,torch.tensor([0])) | torch.index_select(x,0,torch.tensor([2]))
torch.index_select(x,0,torch.tensor([-1])) | torch.index_select(x,0,torch.tensor([[1]])) | torch.index_select(s0,0,torch.tensor([0,0]))
torch.index_select(x,0,torch.tensor([0.])) | torch.index_select(x,0,torch.tensor([0],dtype=torch.int16)) | torch.index_select(x,0,[0])
x.index_select(0,torch.tensor([],dtype=L)) | torch.gather(x,0,torch.zeros(1,3,4,dtype=L)) | torch.gather(x,1,torch.zeros(1,5,2,dtype=L))
torch.gather(x,0,torch.zeros(3,4,4,dtype=L)) | torch.gather(x,0,torch.zeros(3,4,dtype=L)) | torch.gather(x,0,torch.full((1,3,4),2))
torch.gather(x,0,torch.full((1,3,4),-1)) | torch.gather(x,0,torch.zeros(1,3,4)) | torch.gather(s0,0,torch.zeros(3,dtype=L))
torch.gather(v,0,torch.zeros((),dtype=L)) | torch.gather(x,0,torch.zeros(0,dtype=L))
torch.gather(torch.zeros(0,3),0,torch.zeros(2,3,dtype=L)) | torch.scatter(x,0,torch.zeros(1,3,4,dtype=L),x)
torch.scatter(x,0,torch.zeros(3,3,4,dtype=L),x) | torch.scatter(x,0,torch.zeros(1,3,5,dtype=L),torch.zeros(1,3,5))
torch.scatter(x,0,torch.zeros(1,3,4,dtype=L),x.double()) | torch.scatter(x,0,torch.full((1,3,4),5),x)
torch.scatter(x,0,torch.zeros(1,3,4,dtype=L),1) | torch.scatter(x,0,torch.zeros(1,3,4,dtype=L),1j)
torch.scatter(x,0,torch.zeros(1,3,4,dtype=L),x,reduce='mean') | torch.scatter(x,0,torch.zeros(1,3,4),x)
torch.scatter(s0,0,torch.zeros((),dtype=L),s0) | torch.scatter_add(x,0,torch.zeros(1,3,4,dtype=L),x)
torch.scatter_add(x,0,torch.zeros(3,3,4,dtype=L),x) | torch.scatter_add(x,0,torch.zeros(1,3,4,dtype=L),x.double())
torch.scatter_reduce(x,0,torch.zeros(1,3,4,dtype=L),x,'sum')
torch.scatter_reduce(x,0,torch.zeros(1,3,4,dtype=L),x,'amax',include_self=False)
torch.scatter_reduce(x,0,torch.zeros(1,3,5,dtype=L),x,'sum') | torch.index_add(x,0,torch.tensor([0]),x[:1])
torch.index_add(x,0,torch.tensor([0]),x) | torch.index_add(x,0,torch.tensor([0,0]),x,alpha=2)
torch.index_add(x,0,torch.tensor([0,1]),x.double()) | torch.index_add(x,0,torch.tensor([0,1]),v)
torch.index_add(x,0,torch.tensor([0,2]),x) | torch.index_add(x,0,torch.tensor([[0,1]]),x) | torch.index_add(x,0,torch.tensor([0.,1]),x)
torch.index_add(x,0,torch.tensor([0,1]),torch.zeros(2,3,5)) | torch.index_copy(x,0,torch.tensor([0]),x[:1])
torch.index_copy(x,0,torch.tensor([0]),x) | torch.index_copy(x,0,torch.tensor([3]),x[:1])
torch.index_copy(x,0,torch.tensor([0]),x[:1].double()) | torch.index_copy(x,0,torch.tensor([0],dtype=torch.int32),x[:1])
torch.index_copy(x,0,torch.tensor([[0]]),x[:1]) | torch.index_copy(x,0,torch.tensor([0]),v)
torch.index_copy(x,0,torch.tensor([0]),torch.zeros(1,3,5)) | torch.index_copy(x,0,torch.tensor([0]),s0)
torch.index_fill(x,0,torch.tensor([-1]),1.) | torch.index_fill(x,0,torch.tensor([2]),1.) | torch.index_fill(x,0,torch.tensor([0]),v)
torch.index_fill(x,0,torch.tensor([0.]),1) | torch.index_fill(x,0,torch.tensor([[0]]),1) | torch.index_fill(x,0,torch.tensor([0]),1j)
torch.index_put(x,(torch.tensor([0]),),x[0]) | torch.index_put(x,(torch.tensor([0]),),1.) | torch.index_put(x,torch.tensor([0]),x[0])
torch.index_put(x,(0,),x[0]) | torch.index_put(x,(torch.tensor([0]),),x[0].double()) | torch.index_put(x,(torch.tensor([7]),),x[0])
torch.index_reduce(x,0,torch.tensor([0]),x[:1],'sum') | torch.index_reduce(x,0,torch.tensor([0]),x,'prod') | torch.masked_fill(x,x>9,1.)
torch.masked_fill(x,v>0,1.) | torch.masked_fill(x[0],x>9,1.) | x[0].masked_fill_(x>0,1.) | torch.masked_fill(x,x,1.)
torch.masked_fill(x,(x>0).byte(),1.) | torch.masked_fill(x,x>0,v) | torch.masked_fill(x,x>0,1j) | torch.masked_fill(x.long(),x>0,1.5)
torch.masked_select(x,x>20) | torch.masked_select(x,v>0) | torch.masked_select(x,x) | torch.masked_scatter(x,x>=0,x[0])
torch.masked_scatter(x,x>=0,x.double()) | torch.masked_scatter(x,(x>=0).byte(),x) | torch.masked_scatter(x,v>0,x)
torch.take(x,torch.tensor([0,5,-1])) | torch.take(x,torch.tensor([24])) | torch.take(x,torch.tensor([0.]))
torch.take(torch.zeros(0),torch.tensor([0])) | torch.take_along_dim(x,torch.tensor([0,5]))
torch.take_along_dim(x,torch.zeros(1,1,4,dtype=L),0) | torch.take_along_dim(x,torch.zeros(1,4,dtype=L),0)
torch.take_along_dim(x,torch.zeros(1,3,4),0) | x.clone().put_(torch.tensor([0,1]),torch.tensor([1.]))
x.put(torch.tensor([30]),torch.tensor([1.])) | x.put(torch.tensor([0]),torch.tensor([1])) | torch.nonzero(X) | torch.nonzero(s0)
torch.nonzero(s0,as_tuple=True) | torch.argwhere(s0) | torch.nonzero_static(v,size=5,fill_value=9) | torch.nonzero_static(v,size=-5)
torch.unravel_index(torch.tensor([[1,2]]),(2,3)) | torch.unravel_index(torch.tensor(1.),(2,3)) | torch.select_scatter(x,x,0,0)
torch.slice_scatter(x,x,0,0,1) | torch.diagonal_scatter(x,x) | torch.as_strided_scatter(x,x,(2,),(1,)) | X.index_add_(0,i,X)
X.scatter_(0,i[None,None].expand(2,3,2),X) | i[i]=i;i | X[i]=X;X
"""

ALL = [
    text
    for texts in (SHAPE, JOIN, INDEX, SET, GATHER)
    for line in texts.strip().splitlines()
    for text in line.split(" | ")
]


def names(lib):
    """What the expressions speak of: ``leaf`` requires grad, ``x`` is made of it, ``X`` requires none."""
    X = lib.arange(24.0).reshape(2, 3, 4)
    leaf = X.clone().requires_grad_()
    m2 = lib.tensor([[True, False, True], [False, True, False]])
    return {
        "torch": lib, "np": np, "X": X, "leaf": leaf, "x": leaf * 1, "v": lib.arange(3.0), "s0": lib.tensor(1.0),
        "i": lib.tensor([0, 1]), "m": lib.tensor([True, False]), "m2": m2, "mm": X > 10, "L": lib.int64,
    }  # fmt: skip


def shown(result):
    """All that is compared of a result."""
    if isinstance(result, (list, tuple)):
        return [shown(part) for part in result]
    if not hasattr(result, "grad_fn"):
        return result
    fn = result.grad_fn
    return (
        tuple(result.shape),
        str(result.dtype),
        result.detach().numpy().tolist(),
        [s for s, n in zip(result.stride(), result.shape) if n > 1] if result.numel() else None,
        result.storage_offset() if result.numel() else None,
        result.requires_grad,
        result._version,
        result._is_view(),
        fn and (type(fn).__name__, [f and type(f).__name__ for f, _ in fn.next_functions]),
    )


def outcome(lib, text):
    """What an expression (the last of some statements) gives, and its first warning; or its error."""
    *statements, last = text.split(";")
    if not statements and "=" in text and "(" not in text.split("=")[0]:
        statements, last = [text], "x"
    scope = names(lib)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(";".join(statements), scope)
            result = shown(eval(last.strip(), scope))
        except (RuntimeError, TypeError, ValueError, IndexError) as error:
            kind = next(cls for cls in type(error).__mro__ if cls.__module__ == "builtins")
            return kind, str(error).split("\nException raised")[0].strip()
    return result, first_sentence(str(caught[0].message).split("(Triggered")[0]) if caught else None


@pytest.fixture(scope="module", autouse=True)
def warn_always():
    """Let PyTorch warn each time of what it otherwise warns of once in a process: minigrad does so once in each test."""
    torch.set_warn_always(True)
    yield
    torch.set_warn_always(False)


@pytest.mark.parametrize("text", ALL)
def test_expression_gives_what_it_gives_in_pytorch(text):
    assert outcome(minigrad, text) == outcome(torch, text)
